import { getBatch } from '@aisle/contract/pickup/batch'
import {
  cancelPickupCode,
  getPickupCode,
  listPickupCodes,
  logOutPickupCode,
  markPickupCodeUsed,
  revealPickupCode,
  summarisePickupCodes,
} from '@aisle/contract/pickup/pickupCode'
import { pickupCodeState } from '@aisle/contract/pickup/states'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { CopyButton } from '../../ui/control/copy'
import { Dialog } from '../../ui/feedback/dialog'
import { QrCode } from '../../ui/qrCode'
import { useText } from '../../ui/text'
import { Paper, spacedCode } from './cards'
import type { CodeDetail } from './codeDrawer'
import styles from './pickup.module.css'

const shown = [listPickupCodes, getPickupCode, summarisePickupCodes, getBatch] as const

export function CodeVerbs({ code }: { code: CodeDetail }) {
  const t = useText('pickup')
  const { id, state, tail } = code
  const common = { t, target: { id }, vars: { tail }, changes: shown }
  return (
    <>
      <Reveal code={code} />
      <CommandButton
        {...common}
        endpoint={cancelPickupCode}
        verb="cancelPickupCode"
        tone="danger"
        isEnabled={pickupCodeState.can(state, 'cancel')}
      />
      <CommandButton
        {...common}
        endpoint={logOutPickupCode}
        verb="logOutPickupCode"
        tone="danger"
        isEnabled={pickupCodeState.can(state, 'logOut')}
      />
      <CommandButton
        {...common}
        endpoint={markPickupCodeUsed}
        verb="markPickupCodeUsed"
        isEnabled={pickupCodeState.can(state, 'useUp')}
      />
    </>
  )
}

/** The code in clear, with a card of it to hand over; it is forgotten when the dialog closes. */
function Reveal({ code }: { code: CodeDetail }) {
  const t = useText('pickup')
  const kernel = useText('kernel')
  const [text, setText] = useState<string | null>(null)
  const close = () => setText(null)
  return (
    <>
      <CommandButton
        t={t}
        target={{ id: code.id }}
        vars={{ tail: code.tail }}
        changes={[getPickupCode]}
        endpoint={revealPickupCode}
        verb="revealPickupCode"
        isEnabled={pickupCodeState.is(code.state, 'living')}
        onDone={(answer) => setText(answer.code)}
      />
      {text !== null && (
        <Dialog
          title={t('reveal.title')}
          onSubmit={close}
          onCancel={close}
          actions={
            <>
              <button type="button" className="btn" onClick={() => window.print()}>
                {t('cards.print')}
              </button>
              <button type="submit" className="btn btn-main">
                {kernel('action.close')}
              </button>
            </>
          }
        >
          <div data-part="pickup-revealed" className={styles.revealed}>
            <QrCode text={text} className={styles.qr} label={t('cards.qr')} />
            <p>
              <strong>{spacedCode(text)}</strong> <CopyButton text={text} />
            </p>
          </div>
          <p className="quiet">{t('reveal.note')}</p>
          <Paper codes={[{ ...code, code: text }]} />
        </Dialog>
      )}
    </>
  )
}
