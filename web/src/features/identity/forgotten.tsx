import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { openForgotten } from '@aisle/contract/identity/password'
import { useState } from 'react'
import { Icon } from '../../ui/icons'
import { useText } from '../../ui/text'
import { ForgottenCode } from './forgotten-code'
import { ForgottenReset } from './forgotten-reset'
import './factor.css'

export type Opened = OutputOf<typeof openForgotten> & { phone: string; checkCode: string }

/** For whoever can't sign in and has their telephone: a code by SMS, then a password of their own choice. */
export function Forgotten({ back, onDone }: { back: string; onDone: () => void }) {
  const t = useText('identity')
  const [opened, setOpened] = useState<Opened | null>(null)
  return (
    <>
      <h1 className="login-title">{t('forgotten.title')}</h1>
      <p className="login-subtitle">{opened ? t('forgotten.choose') : t('forgotten.hint')}</p>
      {opened ? (
        <ForgottenReset opened={opened} onDone={onDone} onOver={() => setOpened(null)} />
      ) : (
        <ForgottenCode onOpen={setOpened} />
      )}
      <p className="forgotten-back">
        <a href={back}>
          <Icon name="back" /> {t('about.back')}
        </a>
      </p>
    </>
  )
}
