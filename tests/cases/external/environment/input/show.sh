#!/bin/sh
echo "$A ${OTHER-unset} ${PATH:+set} ${HOME##*/}" > "$1"
