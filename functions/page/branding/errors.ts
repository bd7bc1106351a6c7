import { problem } from '../../../src/http/declaration.ts'

const formats = 'Send a PNG, a JPEG or an SVG; the content decides, not a name or a header.'

export const errors = {
  branding_contrast_too_low: problem(
    422,
    'Text in these colors could not be read.',
    'The message names the contrast of the two colors, and a color near yours that has enough. WCAG 2.2 asks for 4.5:1.',
  ),
  logo_empty: problem(422, 'The logo has no content.', 'Send the file’s bytes in base64 as `content`.'),
  logo_too_large: problem(422, 'The logo is larger than 256 KiB.', 'Export it smaller, or as an SVG.'),
  logo_type_unsupported: problem(422, 'The logo is neither PNG nor JPEG nor SVG.', formats),
  logo_malformed: problem(
    422,
    'The logo is cut off or broken.',
    'Open it in a browser; if it shows there, export it again.',
  ),
  logo_dimensions_refused: problem(
    422,
    'The logo’s width or height is out of bounds.',
    'PNG and JPEG have 16 to 2,048 pixels a side, an SVG has a viewBox; no side is more than ten times the other.',
  ),
  logo_unsafe: problem(
    422,
    'The SVG has a part that a logo may not have.',
    'The message names it. Scripts, links, images, animations, filters, entities and anything loaded from elsewhere are refused; export shapes, gradients and masks.',
  ),
  logo_not_found: problem(404, 'The branding has no logo.', 'Nothing is left to remove.'),
}
