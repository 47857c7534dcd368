#!/bin/sh
# Copies the database of {{ target }} to standard output.
set -eu
{% set db = inventory.parameters.database %}
exec kubectl --context {{ cluster }} --namespace {{ inventory.parameters.namespace.name }} \
    exec {{ target }}-database-0 -- pg_dump --username={{ db.user }} {{ db.name }}

