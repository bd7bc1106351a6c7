import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../../local/merchant.ts'
import { totp } from '../../local/totp.ts'
import { newEmail } from '../support/customer.ts'
import { linkIn, newOutgoing, received } from '../support/mails.ts'
import { addInvitation, membersOf, tokenOf } from '../support/members.ts'
import { newMerchant } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { adminSql, stack, trigger } from '../support/stack.ts'
import { axeProblems, chromiumPath, launchChromium, openTab, overflowX } from './support.ts'

const ask = (path: string, body: Record<string, string>, language = 'en') =>
  send(stack.sandbox.directUrl, `/v1/auth${path}`, { body, headers: { 'accept-language': language } })

async function expectSound(page: Page, title: string) {
  await expect.poll(() => page.locator('h1').textContent()).toBe(title)
  await page.waitForLoadState() // with its style
  expect(await axeProblems(page), title).toEqual([])
  expect(await overflowX(page), title).toBe(0)
}

describe.skipIf(!chromiumPath)('the links in mails, in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  test.each(
    share(
      [
        {
          look: { locale: 'es-MX', colorScheme: 'light', viewport: { width: 360, height: 740 } },
          titles: ['¿Es tuya esta dirección de correo?', 'Dirección confirmada'],
          passwordTitles: ['Elige una contraseña nueva', 'Contraseña cambiada', 'El enlace ya no sirve'],
        },
        {
          look: { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
          titles: ['Is this e-mail address yours?', 'Address confirmed'],
          passwordTitles: ['Choose a new password', 'Password changed', 'This link does not work any more'],
        },
      ] as const,
      2,
    ),
  )(
    'from the mailbox to each page, $look.locale, $look.colorScheme',
    async ({ look, titles, passwordTitles }) => {
      const email = newEmail()
      await ask('/sign-up/email', { name: 'Ana', email, password: 'correct horse battery' }, look.locale)
      await received(email)
      const { page, close } = await openTab(browser, look)
      /** Clicks the button of the newest mail, which opens a tab of its own. */
      const followed = async (title: string) => {
        await page.goto(`${stack.mailboxUrl}/?to=${email}`)
        const [opened] = await Promise.all([
          page.waitForEvent('popup'),
          page.frameLocator('iframe >> nth=0').getByRole('link').first().click(),
        ])
        await expectSound(opened, title)
        return opened
      }

      const confirm = await followed(titles[0])
      const [words, button] = await Promise.all(
        ['main p', 'main button'].map((each) => confirm.locator(each).boundingBox()),
      )
      expect(button!.y - words!.y - words!.height).toBeGreaterThan(12)
      await confirm.click('main button')
      await expectSound(confirm, titles[1])
      // The address of this page leads to the form, which would ask again.
      expect(await confirm.locator('.language').count()).toBe(0)

      await ask('/request-password-reset', { email })
      await received(email, 2)
      const [asking, changed, over] = passwordTitles
      const reset = await followed(asking)
      await reset.evaluate(`document.querySelector('main form').noValidate = true`)
      await reset.fill('#new-password', 'too short')
      await reset.click('main button')
      await reset.locator('#new-password-error').waitFor()
      await expectSound(reset, asking)
      expect(await reset.evaluate('document.activeElement.id')).toBe('new-password')
      await reset.fill('#new-password', 'another horse battery')
      await reset.click('main button')
      await expectSound(reset, changed)
      expect(await reset.locator('.language').count()).toBe(0)

      await followed(over)
      await close()
    },
  )

  test.each(
    share(
      [
        {
          look: { locale: 'es-MX', colorScheme: 'dark', viewport: { width: 320, height: 740 } },
          titles: ['Te invitaron a un negocio', 'La invitación ya no sirve'],
        },
        {
          look: { locale: 'en', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
          titles: ['You are invited to join a business', 'This invitation does not work any more'],
        },
      ] as const,
      2,
      1,
    ),
  )('an invitation, $look.locale, $look.colorScheme', async ({ look, titles }) => {
    const id = await addInvitation(await newMerchant({ name: 'Panadería y cafetería '.repeat(5).trim() }))
    const { page, close } = await openTab(browser, look)
    const link = `${stack.sandbox.directUrl}/account/invitation/${await tokenOf(id)}`
    await page.goto(link)
    await expectSound(page, titles[0])
    expect(await page.locator('form').count()).toBe(0)
    await page.goto(`${link}0`)
    await expectSound(page, titles[1])
    await close()
  })

  const picture = async (page: Page, name: string) => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
  }

  test.each([
    {
      look: { locale: 'es-MX', colorScheme: 'light', viewport: { width: 360, height: 740 } },
      titles: {
        offer: 'Te invitaron a un negocio',
        signUp: 'Crea tu cuenta',
        mailed: 'Revisa tu correo',
        confirm: '¿Es tuya esta dirección de correo?',
        confirmed: 'Dirección confirmada',
        signIn: 'Inicia sesión',
        enrol: 'Protege tu cuenta',
        accept: '¿Quieres ser parte de Café Azul?',
        accepted: 'Invitación aceptada',
      },
      withScript: false,
    },
    {
      look: { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
      titles: {
        offer: 'You are invited to join a business',
        signUp: 'Create your account',
        mailed: 'Check your mail',
        confirm: 'Is this e-mail address yours?',
        confirmed: 'Address confirmed',
        signIn: 'Sign in',
        enrol: 'Protect your account',
        accept: 'Join Café Azul?',
        accepted: 'Invitation accepted',
      },
      withScript: true,
    },
  ] as const)(
    'an invited person without an account joins by buttons alone, $look.locale',
    async ({ look, titles, withScript }) => {
      const workspace = await newMerchant({ name: 'Café Azul' })
      const email = newEmail()
      const id = await addInvitation(workspace, { email })
      const { page, problems, close } = await openTab(browser, look)
      if (!withScript) await page.route('**/*.js', (route) => route.abort())
      const at = async (step: keyof typeof titles) => {
        await expectSound(page, titles[step])
        await picture(page, `invitation-${look.locale}-${step}`)
      }
      const press = () => page.locator('main form button.primary').click()
      await page.goto(`${stack.sandbox.directUrl}/account/invitation/${await tokenOf(id)}`)
      await at('offer')
      await page.locator('main a.primary').click()
      await at('signUp')
      const password = 'correct horse battery'
      await page.evaluate(`document.querySelector('main form').noValidate = true`)
      await page.fill('#name', 'Ana')
      await page.fill('#password', 'too short')
      await press()
      await page.locator('#password-error').waitFor()
      await at('signUp')
      expect(await page.inputValue('#name')).toBe('Ana')
      await page.fill('#password', password)
      await press()
      await at('mailed')

      const confirmed = stack.sandbox.directUrl + linkIn((await received(email))[0]!)
      await page.goto(confirmed)
      await at('confirm')
      await press()
      await at('confirmed')
      await page.locator('main a.primary').click()
      await at('signIn')
      await page.fill('#password', 'wrong horse battery')
      await press()
      await page.locator('#password-error').waitFor()
      await at('signIn')
      await page.fill('#password', password)
      await press()
      await at('enrol')
      const uri = await page.locator('main a[href^="otpauth:"]').getAttribute('href')
      const secret = new URL(uri!).searchParams.get('secret')!
      const codes = await page.locator('.backup-codes').textContent()
      await page.fill('#code', (await totp(secret)) === '000000' ? '111111' : '000000')
      await press()
      await page.locator('#code-error').waitFor()
      await at('enrol')
      expect(await page.locator('.backup-codes').textContent()).toBe(codes)
      await page.fill('#code', await totp(secret))
      await press()
      await at('accept')
      const bearer = await page.locator('input[name="bearer"]').getAttribute('value')
      await press()
      await at('accepted')
      expect(await membersOf(workspace.tenantId)).toContainEqual(
        expect.objectContaining({ role: 'member', status: 'active' }),
      )
      // The page's session is over.
      await expect
        .poll(
          async () =>
            (await send(stack.sandbox.directUrl, '/v1/auth/get-session', { method: 'GET', bearer: bearer! }))
              .status,
        )
        .toBe(401)
      expect(problems.filter((each) => !/status of 422|ERR_FAILED/.test(each))).toEqual([])
      await close()
    },
  )

  test.each(
    share(
      [
        {
          look: { locale: 'es-MX', colorScheme: 'light', viewport: { width: 360, height: 740 } },
          titles: [
            '¿No recibir más recordatorios?',
            'No recibirás más recordatorios',
            'El enlace ya no sirve',
          ],
        },
        {
          look: { locale: 'en', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
          titles: ['Get no more reminders?', 'You get no more reminders', 'This link does not work any more'],
        },
      ] as const,
      2,
    ),
  )('the end of reminders, $look.locale, $look.colorScheme', async ({ look, titles }) => {
    const { tenantId } = await newMerchant({ name: 'Panadería y cafetería '.repeat(5).trim() })
    const [id, email] = [randomUUID(), newEmail()]
    await newOutgoing(tenantId, id, email, 0, 'payment_reminder')
    // The page speaks the language of the mail.
    await adminSql('sandbox')('update outgoing_mails set locale = $2 where id = $1', [id, look.locale])
    await trigger('sandbox')
    const [mail] = await received(email)
    const { pathname } = new URL(/<(.*)>/.exec(mail!.headers['List-Unsubscribe']!)![1]!)
    const link = stack.sandbox.directUrl + pathname
    const { page, problems, close } = await openTab(browser, look)
    await page.goto(link)
    await expectSound(page, titles[0])
    await page.click('main button')
    await expectSound(page, titles[1])
    await page.goto(link)
    await expectSound(page, titles[1])
    expect(problems).toEqual([])
    await page.goto(`${link}0`)
    await expectSound(page, titles[2])
    await close()
  })
})
