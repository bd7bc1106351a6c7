/** Institutions with CLABEs, by the first three digits, as Banco de México lists the participants of SPEI. */
const institutions = `
002 Banamex|006 Bancomext|009 Banobras|012 BBVA México|014 Santander|019 Banjército|021 HSBC|030 BanBajío|032 Banorte (Ixe)
036 Inbursa|037 Banorte (Interacciones)|042 Mifel|044 Scotiabank|058 Banregio|059 Invex|060 Bansí|062 Afirme|072 Banorte
103 American Express|106 Bank of America|108 MUFG|110 J.P. Morgan|112 Monex|113 Ve por Más|124 Citi México|127 Azteca
128 Kapital|129 Barclays|130 Compartamos|132 Multiva|133 Actinver|135 Nafin|136 Intercam|137 BanCoppel|138 Ualá
140 Consubanco|141 Volkswagen Bank|143 CIBanco|145 BASE|147 Bankaool|148 PagaTodo|150 Inmobiliario Mexicano|151 Dondé
152 Bancrea|154 Covalto|155 ICBC|156 Sabadell|157 Shinhan|158 Mizuho|159 Bank of China|160 Banco S3|166 Bienestar
167 Hey Banco|168 Hipotecaria Federal|600 Monex Casa de Bolsa|601 GBM|602 Masari|605 Valué|608 Vector|616 Finamex
617 Valmex|630 Intercam Casa de Bolsa|631 CI Casa de Bolsa|634 Fincomún|638 Nu México|646 STP|652 Credicapital|653 Kuspit
656 Unagra|659 ASP Integra Opciones|661 Klar|670 Libertad|677 Caja Popular Mexicana|680 Caja Cristóbal Colón
683 Caja de Telefonistas|684 Transfer|685 FIRA|688 Crediclub|699 Fondeadora|703 Tesored|706 Arcus|710 NVIO
722 Mercado Pago|723 Cuenca|728 Spin by OXXO`

const names: ReadonlyMap<string, string> = new Map(
  institutions
    .trim()
    .split(/[|\n]/)
    .map((entry) => [entry.slice(0, 3), entry.slice(4)]),
)

/** The institution that keeps the account of a CLABE; null where we do not know its code. */
export function bankOf(clabe: string): { readonly code: string; readonly name: string } | null {
  const code = clabe.slice(0, 3)
  const name = names.get(code)
  return name === undefined ? null : { code, name }
}
