import { problem } from '../../../src/http/declaration.ts'

const getIt = 'Get the catalog to see its status.'
const getItem = 'Get the item to see its status.'

export const errors = {
  digital_catalog_not_found: problem(
    404,
    'There is no such digital catalog.',
    'List the digital catalogs for their ids.',
  ),
  digital_catalog_published: problem(409, 'The catalog is published.', getIt),
  digital_catalog_not_published: problem(409, 'The catalog is not published.', getIt),
  digital_catalog_archived: problem(409, 'The catalog is archived.', 'Restore it first.'),
  digital_catalog_not_archived: problem(409, 'The catalog is not archived.', getIt),
  catalog_item_not_found: problem(
    404,
    'There is no such catalog item.',
    'List the items of the catalog for their ids.',
  ),
  catalog_item_active: problem(409, 'The item is active.', getItem),
  catalog_item_inactive: problem(409, 'The item is inactive.', getItem),
  catalog_item_archived: problem(409, 'The item is archived.', 'Restore it first.'),
  catalog_item_not_archived: problem(409, 'The item is not archived.', getItem),
  catalog_item_sku_taken: problem(
    409,
    'Another item of this workspace has this sku.',
    'Choose another sku, or archive the other item first: only archived items share one.',
  ),
  catalog_item_barcode_taken: problem(
    409,
    'Another item of this workspace has this barcode.',
    'Choose another barcode, or archive the other item first: only archived items share one.',
  ),
  catalog_item_variant_exists: problem(
    409,
    'The parent has a variant with these option_values.',
    'List the items with `variant_of` to find it.',
  ),
  catalog_item_variants_too_many: problem(
    409,
    'An item has at most 100 variants.',
    'Archive variants that are no longer sold.',
  ),
  catalog_item_parent_invalid: problem(
    422,
    'A variant needs a parent of the same catalog and kind, which has options and is not archived.',
    'Name an item with `options` as `variant_of`.',
  ),
  catalog_item_option_values_invalid: problem(
    422,
    'A variant has one of the values of each option of its parent.',
    'Get the parent: `options` has the names and their values.',
  ),
  catalog_item_options_in_use: problem(
    409,
    'A variant has an option or a value that would be gone.',
    'Keep the names and values that variants have, or archive those variants first.',
  ),
  catalog_item_components_invalid: problem(
    422,
    'A bundle consists of items of its own catalog that are neither bundles nor parents of variants, nor measured, nor archived.',
    'Name the variants themselves, and what a bundle consists of in place of the bundle.',
  ),
  catalog_category_not_found: problem(
    404,
    'There is no such category in this catalog.',
    'List the categories of the catalog.',
  ),
  catalog_category_archived: problem(409, 'The category is archived.', 'Restore it first.'),
  catalog_category_not_archived: problem(409, 'The category is not archived.', 'Nothing is left to do.'),
  catalog_category_name_taken: problem(
    409,
    'Another active category of this catalog has this name.',
    'Choose another name, or archive the other category first.',
  ),
  catalog_categories_too_many: problem(
    409,
    'A catalog has at most 200 categories, archived ones included.',
    'Rename or restore one that is archived.',
  ),
  catalog_item_not_sold: problem(
    409,
    'The item is the parent of variants, which are sold in its place.',
    'Set the prices of its variants: list the items with `variant_of`.',
  ),
  catalog_price_not_found: problem(404, 'There is no such price.', 'List the prices of the item.'),
  catalog_price_ended: problem(409, 'The price has ended.', 'Set another price.'),
  catalog_prices_too_many: problem(
    409,
    'An item has at most 100 prices that have not ended.',
    'End prices that shall not take effect: list them, the newest come first.',
  ),
  catalog_image_not_found: problem(
    404,
    'There is no such image.',
    'Get the item: `images` has the ids of its images.',
  ),
  catalog_images_too_many: problem(409, 'An item has at most 8 images.', 'Remove one of them first.'),
  catalog_image_empty: problem(
    422,
    'The image has no content.',
    'Send the file’s bytes in base64 as `content`.',
  ),
  catalog_image_too_large: problem(
    422,
    'The image is larger than 2 MiB.',
    'Export it with fewer pixels, or as a WebP.',
  ),
  catalog_image_type_unsupported: problem(
    422,
    'The image is neither PNG nor JPEG nor a WebP that stands still.',
    'Send a PNG, a JPEG or a WebP; the content decides, not a name or a header.',
  ),
  catalog_image_malformed: problem(
    422,
    'The image is cut off or broken.',
    'Open it in a browser; if it shows there, export it again.',
  ),
  catalog_image_dimensions_refused: problem(
    422,
    'The image’s width or height is out of bounds.',
    'A side has 16 to 4,096 pixels, and at most ten times those of the other.',
  ),
  catalog_import_unreadable: problem(
    422,
    'The file cannot be read as items.',
    'Save it as CSV with the names of its columns in the first row, one of them `sku`; the message says what is missing.',
  ),
  catalog_import_rows_refused: problem(
    422,
    'Rows of the file are wrong: nothing was imported.',
    'Correct the rows that `details` names; `POST …/import-previews` names all of them.',
  ),
}
