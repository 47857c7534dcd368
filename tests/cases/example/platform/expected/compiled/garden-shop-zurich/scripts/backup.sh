#!/bin/sh
# Copies the database of garden-shop-zurich to standard output.
set -eu
exec kubectl --context zurich --namespace garden-shop-zurich \
    exec garden-shop-zurich-database-0 -- pg_dump --username=garden-shop-zurich garden-shop-zurich
