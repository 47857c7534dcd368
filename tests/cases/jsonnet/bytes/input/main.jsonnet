{ a: { bytes: importbin 'text', text: importstr 'text' } }
