#!/bin/bash
# Make stand-ins for the two base images where no registry can be reached: Debian by debootstrap,
# with a Python 3.13 of this machine or PostgreSQL 15 of Debian, under the names the files ask for.
#
#   sudo deploy/trial/stand_ins.sh /opt/python3.13     # the prefix of a Python 3.13 that has pip
#
# Needs root, debootstrap and podman. They are for a trial on this machine, not for a deployment.
set -euo pipefail
prefix=${1:?name the prefix of a Python 3.13, e.g. /opt/python3.13}
here=$(cd "$(dirname "$0")" && pwd)
base=docker.io/library/python:3.13-slim
database=docker.io/library/postgres:17
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

libraries=libssl3,libffi8,libsqlite3-0,libbz2-1.0,liblzma5,zlib1g,libreadline8,libuuid1,libexpat1
debootstrap --variant=minbase --include="ca-certificates,netbase,tzdata,$libraries" bookworm "$root" >/dev/null
cp -a "$prefix/bin/." "$root/usr/local/bin/"
tar -C "$prefix/lib" --exclude=__pycache__ --exclude=python3.13/test --exclude='*.a' -c . | tar -C "$root/usr/local/lib" -x
find "$root/usr/local/lib/python3.13/site-packages" -mindepth 1 -maxdepth 1 ! -name 'pip*' -exec rm -rf {} +
grep -rlI "^#!$prefix/" "$root/usr/local/bin" | xargs -r sed -i "1s|^#!$prefix/|#!/usr/local/|"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt" # a proxy's too
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale}
chroot "$root" ldconfig
chroot "$root" /usr/local/bin/python3.13 -c 'import ctypes, lzma, sqlite3, ssl'

tar -C "$root" -c . | podman import -q -c 'CMD ["python3"]' -c 'ENV LANG=C.UTF-8' \
  -c 'ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin' - "$base" >/dev/null
podman build -q --pull=never --network=host -f "$here/postgres.Containerfile" -t "$database" "$here" >/dev/null
podman images --format '{{.Repository}}:{{.Tag}} {{.Size}}' | grep -F -e "$base" -e "$database"
