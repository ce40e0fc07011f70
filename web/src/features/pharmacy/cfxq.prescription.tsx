import { getPrescription, listPrescriptions } from '@aisle/contract/pharmacy/prescription'
import { prescriptionState } from '@aisle/contract/pharmacy/states'
import { screenOf } from '@aisle/contract/screens'
import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { type ListAddress, useAddress } from '../../admin/useAddress'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { Empty } from '../../ui/feedback/empty'
import { Hints } from '../../ui/feedback/hint'
import { useText } from '../../ui/text'
import { PrescriptionBody } from './prescriptionBody'
import { type Detail, PrescriptionTags } from './prescriptionDrawer'
import { PrescriptionForm } from './prescriptionForm'
import { PrescriptionVerbs } from './prescriptionVerbs'
import { PrintSheet } from './printSheet'
import styles from './page.module.css'

const screen = screenOf('jygl/cfxq')
const shape = {
  id: z.coerce.number().int().positive().optional(),
  code: z.string().max(40).optional(),
  write: z.literal('1').optional(),
}

/** One prescription to read, print or write; named in the address by its id or by the code that the patient holds. */
export default function PrescriptionPage() {
  const title = useText('screens')('jygl/cfxq')
  const address = useAddress(screen.path, shape)
  const { id, code, write } = address.query
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {id && <ById key={`${id}/${write}`} id={Number(id)} isWriting={write === '1'} />}
      {!id && code && <ByCode key={code} code={code} />}
      {!id && !code && (write ? <PrescriptionForm detail={null} /> : <NobodyChosen address={address} />)}
      <Hints />
    </div>
  )
}

function ById({ id, isWriting }: { id: number; isWriting: boolean }) {
  const { data, error, refetch } = useEndpoint(getPrescription, { id }, { errors: 'throw' })
  useLive({ kinds: ['prescription'], also: [] }, [getPrescription])
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const mayWrite = isWriting && data.isOwn && prescriptionState.can(data.state, 'submit')
  return mayWrite ? <PrescriptionForm detail={data} /> : <Shown detail={data} />
}

/** The list finds a code; what it finds is shown by its id. */
function ByCode({ code }: { code: string }) {
  const t = useText('pharmacy')
  const { data, error, refetch } = useEndpoint(listPrescriptions, { code, pageSize: 1 }, { errors: 'throw' })
  if (!data) return error ? <Failure failure={error} retry={() => void refetch()} /> : <div className="bone" />
  const [found] = data.items
  if (found) return <ById id={found.id} isWriting={false} />
  return <Empty icon="receipt" title={t('page.unknown', { code })} />
}

function Shown({ detail }: { detail: Detail }) {
  return (
    <>
      <section className={styles.card} aria-label={detail.code}>
        <header className={styles.head}>
          <h2>{detail.code}</h2>
          <PrescriptionTags detail={detail} />
        </header>
        <div className={styles.verbs}>
          <PrescriptionVerbs detail={detail} />
          <PrintSheet detail={detail} />
        </div>
        <PrescriptionBody detail={detail} />
      </section>
    </>
  )
}

function NobodyChosen({ address }: { address: ListAddress }) {
  const t = useText('pharmacy')
  const [typed, setTyped] = useState('')
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    if (typed.trim()) address.show({ code: typed.trim() })
  }
  return (
    <Empty icon="receipt" title={t('page.nobody')} text={t('page.nobody.hint')}>
      <form className={styles.find} onSubmit={find}>
        <input
          type="search"
          aria-label={t('field.code')}
          placeholder={t('field.code')}
          value={typed}
          maxLength={40}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit" className="btn btn-main">
          {t('page.find')}
        </button>
        <Link className="btn" to={screenOf('jygl/cfcx').path}>
          {t('page.go')}
        </Link>
      </form>
    </Empty>
  )
}
