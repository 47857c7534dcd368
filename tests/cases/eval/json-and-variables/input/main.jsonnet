{ env: std.extVar('env'), n: std.extVar('n') }
