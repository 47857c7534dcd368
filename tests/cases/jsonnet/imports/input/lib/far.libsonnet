{ who: 'far' }
