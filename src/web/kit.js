export * from './api.js';
export * from './board.js';
export * from './charts.js';
export * from './dom.js';
export * from './elements.js';
export * from './i18n.js';
export * from './job.js';
export * from './url.js';
