#!/bin/sh
cat >/dev/null
echo "args: [$*]"
