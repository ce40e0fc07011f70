import { getRecallProof } from '@aisle/contract/medicine/recall'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { When } from '../../admin/fields/time'
import { useEndpoint } from '../../live/query'
import { Facts } from '../../ui/facts'
import { Dialog } from '../../ui/feedback/dialog'
import { Tag } from '../../ui/tag'
import { useText } from '../../ui/text'
import styles from './batch.module.css'

type Proof = OutputOf<typeof getRecallProof>

/** What was signed, whether it still is that, and the same on paper. */
export function ProofButton({ id }: { id: number }) {
  const t = useText('medicine')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {t('proof.open')}
      </button>
      {isOpen && <ProofDialog id={id} onClose={() => setOpen(false)} />}
    </>
  )
}

function ProofDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText('medicine')
  const kernel = useText('kernel')
  const { data: proof } = useEndpoint(getRecallProof, { id })
  if (!proof) return null
  return (
    <Dialog
      title={t('proof.title', { no: proof.no })}
      isWide
      onSubmit={onClose}
      onCancel={onClose}
      actions={
        <>
          <button type="button" className="btn" onClick={() => window.print()}>
            {t('proof.print')}
          </button>
          <button type="submit" className="btn btn-main">
            {kernel('action.close')}
          </button>
        </>
      }
    >
      <Tag tone={proof.isWhole ? 'good' : 'bad'} word={proof.isWhole ? t('proof.verified') : t('proof.broken')} />
      <Signed proof={proof} />
      {createPortal(
        <article className={styles.paper} aria-hidden="true">
          <h1>{t('proof.title', { no: proof.no })}</h1>
          <Signed proof={proof} />
        </article>,
        document.body,
      )}
    </Dialog>
  )
}

function Signed({ proof }: { proof: Proof }) {
  const t = useText('medicine')
  return (
    <>
      <pre className={styles.record}>{proof.record}</pre>
      <Facts
        facts={[
          { label: t('proof.signedAt'), value: <When at={proof.signedAt} /> },
          { label: t('proof.hash'), value: <code className={styles.record}>{proof.hash}</code> },
          {
            label: t('proof.before'),
            value: proof.hashBefore && <code className={styles.record}>{proof.hashBefore}</code>,
          },
        ]}
      />
    </>
  )
}
