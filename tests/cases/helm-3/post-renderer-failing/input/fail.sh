#!/bin/sh
echo broken >&2
exit 3
