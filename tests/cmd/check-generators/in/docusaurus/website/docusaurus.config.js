module.exports = { baseUrl: '/project/', presets: [['classic', { docs: { path: '../docs' } }]] };
