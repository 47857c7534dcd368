#!/bin/sh
# Copies the database of books-shop-oslo to standard output.
set -eu
exec kubectl --context oslo --namespace books-shop-oslo \
    exec books-shop-oslo-database-0 -- pg_dump --username=books-shop-oslo books-shop-oslo
