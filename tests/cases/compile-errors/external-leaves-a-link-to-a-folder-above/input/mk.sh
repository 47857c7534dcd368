#!/bin/sh
ln -s . "$1/link"
