#!/bin/sh
ln -s d "$1/folder"
