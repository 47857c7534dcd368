#!/bin/sh
ln -s d "$1/folder"
ln -s d/a.txt "$1/file"
