#!/bin/sh
echo '# rendered after'
sed 's/a: 1/a: 2/'
