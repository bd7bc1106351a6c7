/** The waits of each operation that needs others than the usual ones. */
export const tripsMax: Readonly<Record<string, number>> = {
  'step_up.create_challenge': 3,
  'step_up.get_challenge': 3,
  'step_up.verify_challenge': 5,
  // A new workspace relies on nothing that is read.
  'workspaces.create': 2,
  'payment_links.duplicate': 2,
  'payment_link_templates.create_link': 2,
  'payouts.create': 2,
  // The rule and what it would have met are read first.
  'risk_backtests.create': 3,
  // The review says of which payment it is.
  'risk_reviews.reject': 3,
  // The simulated bank is asked between the load and the publish.
  'payouts.cancel': 3,
  'sandbox.payouts.fail': 7,
  'sandbox.payouts.return': 7,
  'transfers.create': 2,
  'transfers.cancel': 3,
  'sandbox.transfers.fail': 7,
  'sandbox.transfers.return': 7,
  'refunds.create': 2,
  'sandbox.refunds.make': 9,
  'sandbox.refunds.return': 8,
  'sandbox.disputes.open': 10,
  // Notified of the change, we ask the processor once more, after reading our row.
  'sandbox.disputes.resolve': 10,
  // … and it looks for waiting refunds, which give way to it.
  'sandbox.disputes.reconsider': 11,
  'sandbox.disputes.end_inquiry': 11,
  'sandbox.fraud_warnings.open': 9,
  // Includes the simulated processor beside the interface, and our handling of its notification as of any processor's.
  'sandbox.oxxo.pay': 9,
  'sandbox.oxxo.expire': 8,
  'sandbox.spei.deposit': 8,
  'unapplied_funds.refund': 2,
  // They read the rule first.
  'segments.list_members': 2,
  'segments.list_members_as_csv': 2,
  'report_runs.list_rows': 2,
  'report_runs.verify': 2,
  // Recipients are read beside the session.
  'report_schedules.create': 3,
  // The numbers before are not read.
  'report_account_mapping.set': 2,
  // The customer, the entry of the audit trail, the first page of each part.
  'customers.export': 3,
  // The payment in person is read before its payment.
  'in_person_payments.capture': 5,
  'in_person_payments.cancel': 5,
  // As a buyer's page: a load, the two publishes of the payment with the bank between them, and how it ended.
  'register_orders.pay_by_card': 5,
  // A device reads a card: the bank's answer, our reading of it and its booking are within one request.
  'sandbox.readers.present_card': 11,
  'sandbox.phones.tap': 11,
  'sandbox.device.present_card': 11,
  'payments.capture': 4,
  'payments.cancel': 4,
  'webhooks.create_endpoint': 2,
  'webhooks.test_endpoint': 2,
  'webhooks.recover': 2,
  'webhooks.redeliver': 2,
  'branding.put_logo': 3,
  'catalog_images.add': 3,
  'catalog_categories.create': 2,
  'catalog_imports.create': 3,
  'catalog_imports.preview': 2,
  'catalog_items.create': 2,
  'catalog_prices.create': 2,
  'delivered_files.add': 3,
  'dispute_files.add': 3,
  'inventory.adjust': 2,
  'inventory.count': 2,
  'inventory.reserve': 2,
  'sync_runs.start': 3,
  // Its row comes before the file, and what is in it after.
  'sync_files.upload': 4,
  'customers.add_contact': 2,
  'customers.give_consent': 2,
  'customers.add_note': 2,
  // The location where it will stand, the table, the bill, the waiter.
  'readers.create': 2,
  'phones.create': 2,
  'registers.create': 2,
  'table_sessions.open': 2,
  'table_external_payments.record': 2,
  'tip_payouts.record': 2,
  // The reader is read, the sale recorded, the processor asked, and its answer recorded on what is read again.
  'readers.process_payment': 5,
  'phones.process_payment': 5,
  'reader_actions.cancel': 5,
  // Read, recorded, sent, answered on what is read again, read.
  'device.forward_offline_payments': 7,
  // The action, and the attempt that it is about.
  'device.get_payment_secret': 2,
  // The device that is asked; whose receipt is printed, and what that says.
  'readers.collect_tip': 2,
  'phones.collect_tip': 2,
  'readers.collect_input': 2,
  'readers.display': 2,
  'readers.print': 2,
  'readers.ping': 2,
  'device.get_printout': 2,
  // The register, its open shift.
  'register_codes.create': 2,
  'register_orders.create': 2,
  'register_shifts.open': 2,
  'cash_movements.record': 2,
  'payment_invoices.replace': 2,
}
