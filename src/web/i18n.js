import { storage } from './dom.js';

export const LANGUAGES = { en: 'English', zh: '中文' };

const known = (tag) => Object.keys(LANGUAGES).find((name) => tag?.toLowerCase().split('-')[0] === name);

function preferred() {
	const asked = [new URLSearchParams(location.search).get('lang'), storage.get('language'), ...navigator.languages];
	return asked.map(known).find(Boolean) ?? 'en';
}

let current = preferred();

export const language = () => current;

export function setLanguage(name) {
	current = name;
	storage.set('language', name);
}

// Texts of one subject, English and Chinese: `const t = texts({left: ['{n} {n:roll|rolls} left', '还可掷 {n} 次'],
// full_house: '葫芦'})`, then `t('left', {n: 2})`. English that says what its key says is left out.
export const texts =
	(all) =>
	(key, values = {}) => {
		if (!Object.hasOwn(all, key)) throw new Error(`no text ${key}`);
		const [english, chinese] = Array.isArray(all[key])
			? all[key]
			: [(key[0].toUpperCase() + key.slice(1)).replaceAll('_', ' '), all[key]];
		const text = current === 'zh' ? chinese : english;
		return text.replace(/\{(\w+)(?::(\w+)\|(\w+))?\}/g, (_, name, one, many) =>
			one ? (values[name] === 1 ? one : many) : values[name],
		);
	};

export const punctuated = (text) =>
	current === 'zh' ? text.replaceAll(', ', '，').replaceAll(': ', '：').replaceAll('; ', '；') : text;

const written = (value, digits, signDisplay) =>
	value
		.toLocaleString(current, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay })
		.replace('-', '−');

export const number = (value, digits = 0) => written(value, digits, 'negative');

export const signed = (value, digits = 2) => written(value, digits, 'exceptZero');

// Never shown as 0 or 100 per cent by rounding: `<0.1%`, `>99.9%`.
export function percent(share, digits = 1) {
	const least = 10 ** -digits;
	if (share > 0 && share * 100 < least / 2) return `<${number(least, digits)}%`;
	if (share < 1 - 1e-9 && share * 100 > 100 - least / 2) return `>${number(100 - least, digits)}%`;
	return `${number(share * 100, digits)}%`;
}

// What was typed (`1,000,000`, `1e6`) as a number; unchanged if it is not a number.
export function amount(text) {
	const value = Number(text.replace(/[\s,_]/g, '') || NaN);
	return Number.isFinite(value) ? value : text;
}
