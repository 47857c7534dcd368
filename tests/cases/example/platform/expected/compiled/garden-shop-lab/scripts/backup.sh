#!/bin/sh
# Copies the database of garden-shop-lab to standard output.
set -eu
exec kubectl --context lab --namespace garden-shop-lab \
    exec garden-shop-lab-database-0 -- pg_dump --username=garden-shop-lab garden-shop-lab
