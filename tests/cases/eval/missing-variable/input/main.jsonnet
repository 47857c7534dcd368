std.extVar('env')
