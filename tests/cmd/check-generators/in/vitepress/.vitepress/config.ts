export default { base: '/' }
