import { hostname } from 'node:os'
import type { Span } from '@opentelemetry/api'
import type { Logger } from 'pino'
import type { Facts, Trace } from '../db/trace'
import { productVersion } from './config'

export type Traces = { trace: Trace; stop: () => Promise<void> }

/**
 * Tells an OpenTelemetry collector of calls, jobs, batches of machines' messages, and of the statements in them. Its
 * packages are loaded here and nowhere else, so that a server without a collector never has them.
 */
export async function startTraces(endpoint: string, log: Logger): Promise<Traces> {
  const [api, { BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const { context, diag, DiagLogLevel, propagation, SpanKind, SpanStatusCode, trace: traces } = api
  const warn = (text: string) => log.warn({ traces: text }, 'traces')
  const quiet = () => undefined
  diag.setLogger({ error: warn, warn, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN)
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const named = resources.resourceFromAttributes({
    'service.name': process.env.OTEL_SERVICE_NAME ?? 'aisle',
    'service.version': productVersion(),
    'service.instance.id': `${hostname()}-${process.pid}`,
  })
  const provider = new NodeTracerProvider({
    resource: resources.defaultResource().merge(named),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  provider.register()
  const tracer = provider.getTracer('aisle')
  const kinds = { call: SpanKind.SERVER, statement: SpanKind.CLIENT, work: SpanKind.INTERNAL }

  const trace: Trace = ({ kind, name, facts, headers }, work) => {
    // The pool's own questions are part of nothing that anybody looks for.
    if (kind === 'statement' && !traces.getActiveSpan()) return work(quiet)
    const within = headers ? propagation.extract(context.active(), headers) : context.active()
    const ended = async (span: Span) => {
      try {
        return await work((found: Facts) => void span.setAttributes(found))
      } catch (cause) {
        // PostgreSQL's words may quote what somebody typed; its codes don't.
        span.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(cause) })
        throw cause
      } finally {
        span.end()
      }
    }
    return tracer.startActiveSpan(name, { kind: kinds[kind], attributes: facts }, within, ended)
  }
  const stop = async () => {
    await provider.shutdown()
    for (const part of [traces, context, propagation, diag]) part.disable()
  }
  return { trace, stop }
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : cause instanceof Error ? cause.name : 'failed'
