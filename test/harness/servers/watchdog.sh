#!/bin/sh
# Ends the servers of a test run and removes its folder ($1) when the run closes this script's input:
# at its end, or by dying in whatever way. Servers are known by the files below the folder.
folder=$1

# The last line of a file may lack its end.
first_lines() { find "$folder" "$@" -exec head -n 1 {} \; -exec echo \; 2>/dev/null; }
send() { sent=1; for pid in $2; do kill -s "$1" "$pid" 2>/dev/null && sent=0; done; return $sent; }

# Without the closing word the run died, and its worker processes may need a moment to notice.
read -r word || sleep 2

send KILL "$(first_lines -name '*.pid' ! -name postmaster.pid)"

# PostgreSQL, if killed outright, leaves its shared memory behind. It removes its file when it is done.
send QUIT "$(first_lines -name postmaster.pid)"
tries=0
while send 0 "$(first_lines -name postmaster.pid)" && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
send KILL "$(first_lines -name postmaster.pid)"

for container in $(first_lines -name '*.container'); do docker rm --force --volumes "$container" >/dev/null 2>&1; done
rm -rf "$folder"
