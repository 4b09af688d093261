{
	const query = new URLSearchParams(location.search);
	let theme = query.get('theme');
	try {
		theme ??= localStorage.getItem('kibitz-theme');
	} catch {
		// Storage is closed to sandboxed frames.
	}
	if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
	const embed = query.get('embed');
	if (['1', 'answer'].includes(embed)) document.documentElement.classList.add('embed');
	if (embed === 'answer') document.documentElement.classList.add('answer-only');
}
