import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { stopViewing } from '@aisle/contract/rights/acting'
import { acceptAgreement, getPendingAgreement } from '@aisle/contract/system/agreement'
import { useState } from 'react'
import { call } from '../../live/call'
import { queryClient, useCommand, useEndpoint } from '../../live/query'
import { useSession } from '../../live/session'
import { loadUser } from '../../live/session.calls'
import { useTopic } from '../../live/topics'
import { Dialog } from '../../ui/feedback/dialog'
import { useLanguage, useText } from '../../ui/text'
import { StartFailed } from '../startFailed'
import styles from './agreementGate.module.css'
import { leave } from './tools'

type Pending = NonNullable<OutputOf<typeof getPendingAgreement>['agreement']>

/** Whether the server answers nothing before the newest agreement is accepted; asked again when one is published. */
export function useOwedAgreement(): boolean {
  useTopic('changes', ({ kinds }) => {
    const isAbout = !Array.isArray(kinds) || kinds.length === 0 || kinds.includes('agreement')
    if (isAbout) void loadUser().catch(() => undefined)
  })
  return useSession()?.info?.mustAcceptAgreement === true
}

/** Nobody goes on before they have accepted the newest platform agreement: it is accepted, or one signs out. */
export function AgreementGate() {
  const language = useLanguage()
  const pending = useEndpoint(getPendingAgreement, {}, { errors: 'silent', staleTime: 0 })
  if (pending.isError) return <StartFailed failure={pending.error} />
  const agreement = pending.data?.agreement
  return agreement ? <AgreementDialog key={`${agreement.id} ${language}`} agreement={agreement} /> : null
}

/** Whatever was refused meanwhile is asked for again. */
async function goOn(): Promise<void> {
  await loadUser()
  await queryClient.invalidateQueries()
}

function AgreementDialog({ agreement }: { agreement: Pending }) {
  const t = useText('system')
  const isViewing = Boolean(useSession()?.info?.viewedRole)
  const [isRead, setRead] = useState(false)
  const accept = useCommand(acceptAgreement, { onSuccess: goOn })
  const send = async () => {
    if (!isRead || accept.isPending) return
    // Whoever sees the application as a role would can't accept anything as that.
    if (isViewing) await call(stopViewing, {})
    accept.mutate({ id: agreement.id })
  }
  return (
    <Dialog
      title={agreement.title}
      onSubmit={() => void send()}
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
      <p className={styles.about}>{t('agreement.asked', { number: agreement.number })}</p>
      {/* A text that scrolls has to be reachable by the keyboard. */}
      <div className={styles.body} tabIndex={0} role="document" aria-label={agreement.title}>
        {agreement.body}
      </div>
      <label className={styles.read}>
        <input type="checkbox" checked={isRead} onChange={(event) => setRead(event.target.checked)} />
        {t('agreement.read')}
      </label>
    </Dialog>
  )
}
