const between = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Text as HTML, also inside an attribute. */
export const escaped = (text: string) => between(text).replaceAll('"', '&quot;')

export const code = (text: string) => `<code>${escaped(text)}</code>`

/** A description of the document: its code and its links; a star or an underscore in it is itself. */
export const phrase = (text: string) =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\(((?:https:\/)?\/[^)\s]+)\)/g, '<a href="$2">$1</a>')

export const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .filter((each) => each !== '')
    .map((each) => `<p>${phrase(each)}</p>`)
    .join('\n')

export const block = (label: string, text: string) =>
  `<pre tabindex="0" aria-label="${escaped(label)}"><code>${between(text)}</code></pre>`

/** The anchor of a heading, as the hosts of repositories make it. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
