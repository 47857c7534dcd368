{
  a: { keep: [0, false, ''], none: null, empty: {}, list: [], deep: { x: { y: null }, z: [] }, l: [null, {}, [], { a: null }, [null]] },
  b: {},
}
