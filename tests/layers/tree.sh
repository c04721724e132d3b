# No include goes against an arrow.
"$SRC/tools/check-layers"
