{ 'a.json': { x: 1 }, 'b.yaml': { x: 1 }, 'c.yml': { x: 1 }, 'd.toml': { x: 1 }, 'e.txt': { x: 1 }, f: { x: 1 } }
