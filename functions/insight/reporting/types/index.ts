import { balanceActivity } from './balance-activity.ts'
import { feesAndIva } from './fees-and-iva.ts'
import type { ReportType } from './type.ts'

/** The reports by their names. */
export const reportTypes = {
  'balance.activity': balanceActivity,
  fees_and_iva: feesAndIva,
} satisfies Readonly<Record<string, ReportType>>

export type ReportTypeName = keyof typeof reportTypes

export const reportTypeNames = Object.keys(reportTypes) as [ReportTypeName, ...ReportTypeName[]]

export const typeOf = (name: string): ReportType => reportTypes[name as ReportTypeName]

export const isType = (name: string): name is ReportTypeName => Object.hasOwn(reportTypes, name)
