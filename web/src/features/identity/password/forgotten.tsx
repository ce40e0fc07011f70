import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { openForgotten } from '@aisle/contract/identity/password'
import { useState } from 'react'
import { Icon } from '../../../ui/icons'
import { useText } from '../../../ui/text'
import { ForgottenCode } from './forgottenCode'
import { ForgottenReset } from './forgottenReset'
import factorStyles from '../factor/factor.module.css'
import loginStyles from '../signIn/login.module.css'

export type Opened = OutputOf<typeof openForgotten> & { phone: string; checkCode: string }

/** For whoever can't sign in and has their telephone: a code by SMS, then a password of their own choice. */
export function Forgotten({ back, onDone }: { back: string; onDone: () => void }) {
  const t = useText('identity')
  const [opened, setOpened] = useState<Opened | null>(null)
  return (
    <>
      <h1 className={loginStyles.title}>{t('forgotten.title')}</h1>
      <p className={loginStyles.subtitle}>{opened ? t('forgotten.choose') : t('forgotten.hint')}</p>
      {opened ? (
        <ForgottenReset opened={opened} onDone={onDone} onOver={() => setOpened(null)} />
      ) : (
        <ForgottenCode onOpen={setOpened} />
      )}
      <p className={factorStyles.forgottenBack}>
        <a href={back}>
          <Icon name="back" /> {t('about.back')}
        </a>
      </p>
    </>
  )
}
