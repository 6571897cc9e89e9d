#!/bin/sh
# Creates the secrets for compose.yaml: `sh deploy/create-secrets.sh [folder]`. Never overwrites a file, because data that
# is encrypted with a lost master key cannot be recovered.
#
# Only its owner can enter the folder. The files in it are readable by all users, because the containers run as other users.
set -eu
folder=${1:-$(dirname "$0")/secrets}
mkdir -p -m 0700 "$folder"

# create <name> <command>: writes the output of the command to the file.
create() {
  file=$folder/$1
  shift
  [ ! -e "$file" ] || return 0
  rm -f "$file.new"
  (umask 0022 && "$@" >"$file.new")
  mv "$file.new" "$file"
  echo "created $file"
}

create postgres-password openssl rand -hex 24
create master-key openssl rand -base64 32
create database-url echo "postgres://signet:$(cat "$folder/postgres-password")@postgres:5432/signet"
create smtp-url echo smtp://mail:1025
