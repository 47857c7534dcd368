#!/bin/sh
ln -s d "$1/folder"
ln -s "$1/d" "$1/absolute"
ln -s d/a.txt "$1/file"
ln -s a.txt "$1/d/beside"
ln -s "$PWD/mk.sh" "$1/outside"
