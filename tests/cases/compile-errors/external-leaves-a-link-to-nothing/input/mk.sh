#!/bin/sh
ln -s nowhere "$1/link"
