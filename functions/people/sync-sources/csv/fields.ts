import { recognizing } from '../../../../src/kernel/csv-columns.ts'

/** What a column can be, with the names by which it is recognized in a header. */
const names = {
  external_id:
    'id|external id|customer id|client id|id cliente|id del cliente|clave|clave cliente|clave de cliente|codigo|codigo cliente|codigo de cliente|numero de cliente|no cliente|no de cliente|customer number',
  updated_at:
    'updated at|updated|last updated|modified|last modified|actualizado|fecha de actualizacion|ultima actualizacion|fecha de modificacion|ultima modificacion',
  name: 'name|full name|first name|middle name|last name|surname|customer|customer name|client|nombre|nombres|nombre completo|nombre del cliente|apellido|apellidos|apellido paterno|apellido materno|primer apellido|segundo apellido|cliente',
  email:
    'email|e mail|mail|email address|e mail address|correo|correo electronico|direccion de correo|direccion de correo electronico',
  phone:
    'phone|phone number|telephone|mobile|mobile phone|cell|cell phone|whatsapp|telefono|numero de telefono|telefono celular|telefono movil|tel|celular|movil',
  locale: 'locale|language|idioma|lengua',
  tags: 'tags|labels|groups|etiquetas|grupos',
  'address.line1':
    'address|street|street address|address line 1|address 1|direccion|direccion 1|calle|calle y numero|domicilio',
  'address.line2': 'address line 2|address 2|direccion 2|interior|numero interior',
  'address.neighborhood': 'neighborhood|neighborhood|colonia|barrio|fraccionamiento|asentamiento',
  'address.city': 'city|town|ciudad|municipio|localidad|alcaldia',
  'address.state': 'state|province|region|estado|provincia',
  'address.postal_code': 'postal code|postcode|zip|zip code|codigo postal|cp|c p',
  'address.country': 'country|country code|pais',
  'tax_profile.rfc': 'rfc|tax id',
  'tax_profile.legal_name': 'legal name|razon social|nombre fiscal',
  'tax_profile.tax_regime': 'tax regime|regimen|regimen fiscal',
  'tax_profile.postal_code': 'tax postal code|codigo postal fiscal|cp fiscal|domicilio fiscal',
  'tax_profile.cfdi_use': 'cfdi use|uso cfdi|uso de cfdi|uso del cfdi',
} as const

export const columnFields = Object.keys(names) as [keyof typeof names, ...(keyof typeof names)[]]

/** Several columns can be these: the parts of a name, words from more than one column. */
export const repeatable: readonly string[] = ['name', 'tags']
/** One of these says which customer a row is about: the first that a column is. */
export const idFields = ['external_id', 'email', 'phone'] as const

/** What the columns seem to be, by their names in Spanish and English. */
export const suggestedFields = recognizing(names, repeatable)
