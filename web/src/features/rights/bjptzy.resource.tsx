import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { editExternal, getResource, listResources } from '@aisle/contract/rights/resource'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { Failure } from '../../admin/failure'
import { Form } from '../../admin/form/form'
import { useAddress } from '../../admin/useAddress'
import { refetch, useEndpoint } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { externalInputs } from './externalForm'
import { NothingChosen } from './nothingChosen'

const screen = screenOf('xtgl/bjptzy')
const shape = { id: z.string().max(80).optional() }

/** For the platform's administrators, rarely: the address of another system moved, or is to be called otherwise. */
export default function EditExternalPage() {
  const title = useText('screens')('xtgl/bjptzy')
  const { query } = useAddress(screen.path, shape)
  return (
    <div className="list-main">
      <header className="list-head">
        <h1>{title}</h1>
      </header>
      {query.id ? <ExternalToEdit code={query.id} /> : <NothingChosen what="resource" />}
    </div>
  )
}

function ExternalToEdit({ code }: { code: string }) {
  const result = useEndpoint(getResource, { code }, { errors: 'throw' })
  const { data, error } = result
  if (data?.external) return <ExternalForm resource={data} external={data.external} />
  // What is shipped with the product is not edited: its names are texts, its pages are where they are.
  if (data) return <NothingChosen what="resource" />
  return error ? <Failure failure={error} retry={() => void result.refetch()} /> : <div className="bone" />
}

type Resource = OutputOf<typeof getResource>

function ExternalForm(props: { resource: Resource; external: NonNullable<Resource['external']> }) {
  const { resource, external } = props
  const { code, url } = resource
  const { id, version, titles, description, menuGroup } = external
  const t = useText('rights')
  const navigate = useNavigate()
  return (
    <Form
      spec={{
        t,
        endpoint: editExternal,
        names: ['titles', 'url', 'menuGroup', 'description'],
        inputs: externalInputs,
        initial: { titles, url, description, menuGroup },
        target: { id, version },
      }}
      save={t('verb.editExternal')}
      onSaved={async () => {
        toast('good', t('verb.editExternal.done'))
        await refetch(getResource, listResources)
        await navigate({ to: screenOf('xtgl/gngl').path, search: { kind: 'external', open: code } })
      }}
    />
  )
}
