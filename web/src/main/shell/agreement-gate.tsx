import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { acceptAgreement, getPendingAgreement } from '@aisle/contract/system/agreement'
import { useState } from 'react'
import { refetch, useCommand, useEndpoint } from '../../live/query'
import { useTopic } from '../../live/topics'
import { Dialog } from '../../ui/dialog'
import { useLanguage, useText } from '../../ui/text'
import './agreement-gate.css'
import { leave } from './tools'

type Pending = NonNullable<OutputOf<typeof getPendingAgreement>['agreement']>

/** Nobody goes on before they have accepted the newest platform agreement: it is accepted, or one signs out. */
export function AgreementGate() {
  const language = useLanguage()
  const pending = useEndpoint(getPendingAgreement, {}, { errors: 'silent', staleTime: Number.POSITIVE_INFINITY })
  useTopic('changes', ({ kinds }) => {
    const isAbout = !Array.isArray(kinds) || kinds.length === 0 || kinds.includes('agreement')
    if (isAbout) void refetch(getPendingAgreement)
  })
  const agreement = pending.data?.agreement
  return agreement ? <AgreementDialog key={`${agreement.id} ${language}`} agreement={agreement} /> : null
}

function AgreementDialog({ agreement }: { agreement: Pending }) {
  const t = useText('system')
  const [isRead, setRead] = useState(false)
  const accept = useCommand(acceptAgreement, { onSuccess: () => refetch(getPendingAgreement) })
  const send = () => {
    if (isRead && !accept.isPending) accept.mutate({ id: agreement.id })
  }
  return (
    <Dialog
      title={agreement.title}
      onSubmit={send}
      actions={
        <>
          <button type="button" className="btn" onClick={() => void leave()}>
            {t('agreement.decline')}
          </button>
          <button type="submit" className="btn btn-main" aria-disabled={!isRead || accept.isPending}>
            {t('agreement.accept')}
          </button>
        </>
      }
    >
      <p className="agreement-about">{t('agreement.asked', { number: agreement.number })}</p>
      {/* A text that scrolls has to be reachable by the keyboard. */}
      <div className="agreement-body" tabIndex={0} role="document" aria-label={agreement.title}>
        {agreement.body}
      </div>
      <label className="agreement-read">
        <input type="checkbox" checked={isRead} onChange={(event) => setRead(event.target.checked)} />
        {t('agreement.read')}
      </label>
    </Dialog>
  )
}
