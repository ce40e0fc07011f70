import { languageNames } from '@aisle/contract/kernel/text'
import {
  type Agreement,
  agreementState,
  createAgreement,
  discardAgreement,
  listAgreements,
  publishAgreement,
} from '@aisle/contract/system/agreement'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { Failure } from '../../admin/failure'
import { Ago } from '../../admin/fields/time'
import { countText } from '../../admin/fields/number'
import { refetch, useEndpoint } from '../../live/query'
import { can } from '../../live/session'
import { useTopic } from '../../live/topics'
import { Empty } from '../../ui/feedback/empty'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import { AgreementEditor } from './agreementEditor'
import styles from './settings.module.css'

/**
 * For the platform's administrator, once or twice a year: which version everybody is asked to accept, how many have,
 * and the draft of the next one.
 */
export function Agreements() {
  const t = useText('system')
  const kernel = useText('kernel')
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const found = useEndpoint(listAgreements, { pageSize: 100 }, { errors: 'silent' })
  useTopic('changes', ({ kinds }) => {
    if (!Array.isArray(kinds) || kinds.length === 0 || kinds.includes('agreement')) void refetch(listAgreements)
  })
  if (found.isError) return <Failure failure={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <p role="status">{kernel('loading')}</p>
  if (edited !== null) return <AgreementEditor id={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
  const { items } = found.data
  const start = can(createAgreement.access) && (
    <button type="button" className="btn btn-main" onClick={() => setEdited('new')}>
      {t('agreement.begin')}
    </button>
  )
  return (
    <section className={styles.group} aria-label={t('settingGroup.agreements')}>
      <p className={styles.for}>{t('agreement.about')}</p>
      {items.length === 0 ? (
        <Empty icon="receipt" title={t('agreement.empty')} text={t('agreement.emptyHint')}>
          {start}
        </Empty>
      ) : (
        <>
          <div>{start}</div>
          <ul className={styles.agreements}>
            {items.map((each, at) => (
              <Version
                key={each.id}
                agreement={each}
                isNewest={each.number !== null && items.slice(0, at).every(({ number }) => number === null)}
                onOpen={() => setEdited(each.id)}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Version(props: { agreement: Agreement; isNewest: boolean; onOpen: () => void }) {
  const { agreement, isNewest, onOpen } = props
  const t = useText('system')
  const { id, number, title, state, missing, publishedAt, createdAt, createdBy, publishedBy, acceptedCount } = agreement
  const names = missing.map((language) => languageNames[language]).join(', ')
  const mayEdit = agreementState.can(state, 'edit')
  return (
    <li className={styles.agreementVersion}>
      <div>
        <p className={styles.agreementTitle}>
          <Tag
            tone={isNewest ? 'good' : 'idle'}
            word={
              agreementState.is(state, 'draft')
                ? t('agreementState.draft')
                : t('agreement.number', { number: number ?? 0 })
            }
            hint={t.any(`agreementState.${state}.help`)}
          />
          <b>{title}</b>
          {isNewest && <small>{t('agreement.newest')}</small>}
        </p>
        <p className={styles.settingSource}>
          {publishedAt ? (
            <>
              {t('agreement.publishedBy', { name: publishedBy ?? '–' })} <Ago at={publishedAt} /> ·{' '}
              {t('agreement.acceptedBy', { total: countText(acceptedCount) })}
            </>
          ) : (
            <>
              {t('agreement.writtenBy', { name: createdBy ?? '–' })} <Ago at={createdAt} />
              {missing.length > 0 && <> · {t('agreement.missing', { names })}</>}
            </>
          )}
        </p>
      </div>
      <div className={styles.settingActions}>
        <button type="button" className="btn" onClick={onOpen}>
          {t(mayEdit ? 'agreement.edit' : 'agreement.view')}
        </button>
        {mayEdit && (
          <>
            <CommandButton
              endpoint={publishAgreement}
              verb="publishAgreement"
              target={{ id }}
              vars={{ title }}
              t={t}
              tone="main"
              isEnabled={missing.length === 0}
              changes={[listAgreements]}
            />
            <CommandButton
              endpoint={discardAgreement}
              verb="discardAgreement"
              target={{ id }}
              vars={{ title }}
              t={t}
              tone="danger"
              changes={[listAgreements]}
            />
          </>
        )}
      </div>
    </li>
  )
}
