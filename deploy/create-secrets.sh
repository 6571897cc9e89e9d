#!/bin/sh
# Creates the secrets of compose.yaml: `sh deploy/create-secrets.sh [folder]`. Never changes a file that exists, because data
# that is encrypted with a lost master key is lost too.
#
# Only you can enter the folder. Every user can read the files in it, because the users of the containers have to.
set -eu
folder=${1:-$(dirname "$0")/secrets}
mkdir -p -m 0700 "$folder"

# create <name> <command>: the file contains the output of the command.
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
