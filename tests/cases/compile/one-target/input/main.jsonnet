{ service: { kind: 'Service', port: 80 }, deployment: { kind: 'Deployment' } }
