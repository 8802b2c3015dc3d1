# Says what is written by the names that the process has, and hides what is passed on.
stateglass transform "$1" --hide 'call(next*' --hide 'return(next*' \
    --rename 'call(Pl_ASCII85Decoder.write, &buf\={32}, 1)=blank' --rename 'call(Pl_ASCII85Decoder.write, &buf\={62}, 1)=greater' \
    --rename 'call(Pl_ASCII85Decoder.write, &buf\={122}, 1)=zero' --rename 'call(Pl_ASCII85Decoder.write, &buf\={126}, 1)=tilde' \
    --rename 'call(Pl_ASCII85Decoder.write, &buf\={200}, 1)=bad' --rename 'throw(Pl_ASCII85Decoder.write, runtime_error)=refused' \
    --rename 'return(Pl_ASCII85Decoder.write)=ok' --rename 'call(Pl_ASCII85Decoder.finish)=finish' \
    --rename 'return(Pl_ASCII85Decoder.finish)=finished' -o "$2"
