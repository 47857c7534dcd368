function(name) { 'app.kubernetes.io/name': name }
