{ a: { list: [{ x: 1, y: [1, [2]] }, 'text'], map: { deep: { er: true } } } }
