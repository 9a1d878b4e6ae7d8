# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_flussctl_global_optspecs
    string join \n zookeeper= zookeeper-root= remote-data-dir= server-config= cluster= D/define= read-only zookeeper-tls zookeeper-tls-ca= zookeeper-tls-cert= zookeeper-tls-key= zookeeper-auth= zookeeper-user= zookeeper-password-file= o/output= color= q/quiet v/verbose request-timeout= timeout= concurrency= max-ops-per-second= h/help V/version
end

function __fish_flussctl_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_flussctl_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_flussctl_using_subcommand
    set -l cmd (__fish_flussctl_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_needs_command" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_needs_command" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_needs_command" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_needs_command" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_needs_command" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_needs_command" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_needs_command" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_needs_command" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_needs_command" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_needs_command" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_needs_command" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_needs_command" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_needs_command" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_needs_command" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_needs_command" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_needs_command" -f -a "producer-offsets" -d 'The producer offset snapshots of a cluster'
complete -c flussctl -n "__fish_flussctl_needs_command" -f -a "po" -d 'The producer offset snapshots of a cluster'
complete -c flussctl -n "__fish_flussctl_needs_command" -f -a "completions" -d 'Print the completions of a shell'
complete -c flussctl -n "__fish_flussctl_needs_command" -f -a "man" -d 'Print the manual, or write all manuals into a folder'
complete -c flussctl -n "__fish_flussctl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "list" -d 'List the snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "get" -d 'Show snapshots with all their offsets'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "register" -d 'Register the log end offsets that a job starts from'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "delete" -d 'Delete snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "backup" -d 'Save snapshots into a folder'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "restore" -d 'Put missing snapshots back from backups'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "cleanup" -d 'Delete expired snapshots, orphan files and emptied folders'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l state -d 'Only snapshots in this state; broken reads the files' -r -f -a "valid\t''
expired\t''
undecodable\t''
unreadable\t''
broken\t''"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l table -d 'Only snapshots with this table: an id, or DATABASE.TABLE' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l sort -d 'The order' -r -f -a "id\t''
expires\t''
created\t''
tables\t''"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l files -d 'Add what the offsets files say: buckets, missing and broken ones'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l no-names -d 'Show ids alone, which saves reading the tables\' metadata'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from list" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l no-names -d 'Show ids alone, which saves reading the tables\' metadata'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from get" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l offset -d 'A bucket\'s offset, TABLE[/PARTITION]:BUCKET=OFFSET; repeatable' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -s f -l file -d 'All offsets, from JSON as `get -o json` prints it, a backup, or CSV; - is stdin' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l ttl -d 'Let it expire after so long, for example 24h [default: the cluster\'s own TTL; of a restore, the backup\'s expiry]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l expires-at -d 'Let it expire at this time, for example 2026-12-31T12:00:00Z' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l settle -d 'Look again for so long whether somebody\'s cleanup takes the files' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l backup -d 'Save each snapshot into this folder before it is changed [default: the user\'s state folder]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l audit-log -d 'Append a JSON line for each decision to this file' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l if-not-exists -d 'Let a snapshot that exists already be a success'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l replace -d 'Set the baseline in the place of a snapshot that exists, valid or undecodable'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l store-checked -d 'With --replace: not one of the files is in the store, and it is the coordinator\'s store all the same'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l missing-as-zero -d 'What is left out is meant to count as offset 0'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l no-backup -d 'Save nothing before a change'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -s y -l yes -d 'Do it without asking'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l dry-run -d 'Show what would be done, and do nothing'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from register" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l match -d 'All ids that match this pattern; repeatable' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l if-mzxid -d 'Only if the znode is still in this state, as `get` shows it; with one id' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l backup -d 'Save each snapshot into this folder before it is changed [default: the user\'s state folder]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l audit-log -d 'Append a JSON line for each decision to this file' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l job-stopped -d 'The jobs are stopped: delete without waiting for readers'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l store-checked -d 'Not one of the files is in the store, and it is the coordinator\'s store all the same'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l must-exist -d 'Let an absent id be an error'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l no-backup -d 'Save nothing before a change'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -s y -l yes -d 'Do it without asking'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l dry-run -d 'Show what would be done, and do nothing'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from delete" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l to -d 'The folder, which is made where it is missing' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from backup" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l ttl -d 'Let it expire after so long, for example 24h [default: the cluster\'s own TTL; of a restore, the backup\'s expiry]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l expires-at -d 'Let it expire at this time, for example 2026-12-31T12:00:00Z' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l settle -d 'Look again for so long whether somebody\'s cleanup takes the files' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l audit-log -d 'Append a JSON line for each decision to this file' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l missing-as-zero -d 'What a backup leaves out is meant to count as offset 0'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -s y -l yes -d 'Do it without asking'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l dry-run -d 'Show what would be done, and do nothing'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from restore" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l older-than -d 'How old an orphan is at the least, or a time that it is older than [default: the longer of 3d and the cluster\'s TTL]' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l audit-log -d 'Append a JSON line for each decision to this file' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l expired-only -d 'Only the expired snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l orphans-only -d 'Only orphan files and emptied folders'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l force -d 'Allow --older-than under a day'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l store-checked -d 'Not one of the files is in the store, and it is the coordinator\'s store all the same'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l dir-is-only-ours -d 'No other cluster has its snapshots in the remote data dir'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -s y -l yes -d 'Do it without asking'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l dry-run -d 'Show what would be done, and do nothing'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from cleanup" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from help" -f -a "get" -d 'Show snapshots with all their offsets'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from help" -f -a "register" -d 'Register the log end offsets that a job starts from'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from help" -f -a "delete" -d 'Delete snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from help" -f -a "backup" -d 'Save snapshots into a folder'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from help" -f -a "restore" -d 'Put missing snapshots back from backups'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from help" -f -a "cleanup" -d 'Delete expired snapshots, orphan files and emptied folders'
complete -c flussctl -n "__fish_flussctl_using_subcommand producer-offsets; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "list" -d 'List the snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "get" -d 'Show snapshots with all their offsets'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "register" -d 'Register the log end offsets that a job starts from'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "delete" -d 'Delete snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "backup" -d 'Save snapshots into a folder'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "restore" -d 'Put missing snapshots back from backups'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "cleanup" -d 'Delete expired snapshots, orphan files and emptied folders'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and not __fish_seen_subcommand_from list get register delete backup restore cleanup help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l state -d 'Only snapshots in this state; broken reads the files' -r -f -a "valid\t''
expired\t''
undecodable\t''
unreadable\t''
broken\t''"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l table -d 'Only snapshots with this table: an id, or DATABASE.TABLE' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l sort -d 'The order' -r -f -a "id\t''
expires\t''
created\t''
tables\t''"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l files -d 'Add what the offsets files say: buckets, missing and broken ones'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l no-names -d 'Show ids alone, which saves reading the tables\' metadata'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from list" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l no-names -d 'Show ids alone, which saves reading the tables\' metadata'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from get" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l offset -d 'A bucket\'s offset, TABLE[/PARTITION]:BUCKET=OFFSET; repeatable' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -s f -l file -d 'All offsets, from JSON as `get -o json` prints it, a backup, or CSV; - is stdin' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l ttl -d 'Let it expire after so long, for example 24h [default: the cluster\'s own TTL; of a restore, the backup\'s expiry]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l expires-at -d 'Let it expire at this time, for example 2026-12-31T12:00:00Z' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l settle -d 'Look again for so long whether somebody\'s cleanup takes the files' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l backup -d 'Save each snapshot into this folder before it is changed [default: the user\'s state folder]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l audit-log -d 'Append a JSON line for each decision to this file' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l if-not-exists -d 'Let a snapshot that exists already be a success'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l replace -d 'Set the baseline in the place of a snapshot that exists, valid or undecodable'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l store-checked -d 'With --replace: not one of the files is in the store, and it is the coordinator\'s store all the same'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l missing-as-zero -d 'What is left out is meant to count as offset 0'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l no-backup -d 'Save nothing before a change'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -s y -l yes -d 'Do it without asking'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l dry-run -d 'Show what would be done, and do nothing'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from register" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l match -d 'All ids that match this pattern; repeatable' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l if-mzxid -d 'Only if the znode is still in this state, as `get` shows it; with one id' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l backup -d 'Save each snapshot into this folder before it is changed [default: the user\'s state folder]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l audit-log -d 'Append a JSON line for each decision to this file' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l job-stopped -d 'The jobs are stopped: delete without waiting for readers'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l store-checked -d 'Not one of the files is in the store, and it is the coordinator\'s store all the same'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l must-exist -d 'Let an absent id be an error'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l no-backup -d 'Save nothing before a change'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -s y -l yes -d 'Do it without asking'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l dry-run -d 'Show what would be done, and do nothing'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from delete" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l to -d 'The folder, which is made where it is missing' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from backup" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l ttl -d 'Let it expire after so long, for example 24h [default: the cluster\'s own TTL; of a restore, the backup\'s expiry]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l expires-at -d 'Let it expire at this time, for example 2026-12-31T12:00:00Z' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l settle -d 'Look again for so long whether somebody\'s cleanup takes the files' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l audit-log -d 'Append a JSON line for each decision to this file' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l missing-as-zero -d 'What a backup leaves out is meant to count as offset 0'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -s y -l yes -d 'Do it without asking'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l dry-run -d 'Show what would be done, and do nothing'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from restore" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l older-than -d 'How old an orphan is at the least, or a time that it is older than [default: the longer of 3d and the cluster\'s TTL]' -r
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l audit-log -d 'Append a JSON line for each decision to this file' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l expired-only -d 'Only the expired snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l orphans-only -d 'Only orphan files and emptied folders'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l force -d 'Allow --older-than under a day'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l store-checked -d 'Not one of the files is in the store, and it is the coordinator\'s store all the same'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l dir-is-only-ours -d 'No other cluster has its snapshots in the remote data dir'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -s y -l yes -d 'Do it without asking'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l dry-run -d 'Show what would be done, and do nothing'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from cleanup" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from help" -f -a "get" -d 'Show snapshots with all their offsets'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from help" -f -a "register" -d 'Register the log end offsets that a job starts from'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from help" -f -a "delete" -d 'Delete snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from help" -f -a "backup" -d 'Save snapshots into a folder'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from help" -f -a "restore" -d 'Put missing snapshots back from backups'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from help" -f -a "cleanup" -d 'Delete expired snapshots, orphan files and emptied folders'
complete -c flussctl -n "__fish_flussctl_using_subcommand po; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand completions" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l to -d 'Write all manuals into this folder, in the place of printing flussctl(1)' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper -d 'ZooKeeper\'s connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]' -r -f -a "(__fish_print_hostnames)"
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper-root -d 'The cluster\'s root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l remote-data-dir -d 'The cluster\'s remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]' -r -f -a "(__fish_complete_directories)"
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l server-config -d 'Take addresses, paths and credentials from the cluster\'s own server.yaml [env: FLUSSCTL_SERVER_CONFIG]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l cluster -d 'Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -s D -l define -d 'Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper-tls-ca -d 'The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper-tls-cert -d 'The client\'s certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper-tls-key -d 'The client\'s key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper-auth -d 'How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]' -r -f -a "sasl\t'SASL DIGEST-MD5'
digest\t'ZooKeeper\'s own digest scheme'"
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper-user -d 'The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]' -r -f -a "(__fish_complete_users)"
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper-password-file -d 'The file with the user\'s password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]' -r -F
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -s o -l output -d 'The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]' -r -f -a "table\t'Columns for people'
wide\t'The same with more columns'
json\t'One JSON document'
jsonl\t'A JSON document a line, as they come'
yaml\t'One YAML document, of the same shape as the JSON'
csv\t'Comma-separated values under a header'
markdown\t'Tables of GitHub\'s Markdown'
name\t'Names alone, one a line'"
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l color -d 'When to use colour [default: auto] [env: FLUSSCTL_COLOR]' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`'
always\t'Everywhere, `NO_COLOR` or not'
never\t'Nowhere'"
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l request-timeout -d 'The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l timeout -d 'The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l concurrency -d 'How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l max-ops-per-second -d 'The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]' -r -f
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l read-only -d 'Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]'
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -l zookeeper-tls -d 'Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]'
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -s q -l quiet -d 'Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]'
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -s v -l verbose -d 'Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]'
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c flussctl -n "__fish_flussctl_using_subcommand man" -s V -l version -d 'Print version'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and not __fish_seen_subcommand_from producer-offsets completions man help" -f -a "producer-offsets" -d 'The producer offset snapshots of a cluster'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and not __fish_seen_subcommand_from producer-offsets completions man help" -f -a "completions" -d 'Print the completions of a shell'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and not __fish_seen_subcommand_from producer-offsets completions man help" -f -a "man" -d 'Print the manual, or write all manuals into a folder'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and not __fish_seen_subcommand_from producer-offsets completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and __fish_seen_subcommand_from producer-offsets" -f -a "list" -d 'List the snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and __fish_seen_subcommand_from producer-offsets" -f -a "get" -d 'Show snapshots with all their offsets'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and __fish_seen_subcommand_from producer-offsets" -f -a "register" -d 'Register the log end offsets that a job starts from'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and __fish_seen_subcommand_from producer-offsets" -f -a "delete" -d 'Delete snapshots'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and __fish_seen_subcommand_from producer-offsets" -f -a "backup" -d 'Save snapshots into a folder'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and __fish_seen_subcommand_from producer-offsets" -f -a "restore" -d 'Put missing snapshots back from backups'
complete -c flussctl -n "__fish_flussctl_using_subcommand help; and __fish_seen_subcommand_from producer-offsets" -f -a "cleanup" -d 'Delete expired snapshots, orphan files and emptied folders'
