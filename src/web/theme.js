{
	const query = new URLSearchParams(location.search);
	let theme = query.get('theme');
	try {
		theme ??= localStorage.getItem('kibitz-theme');
	} catch {
		// Storage is closed to sandboxed frames.
	}
	if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
	if (query.get('embed') === '1') document.documentElement.classList.add('embed');
}
