// Turns the user's ratings into metrics of the conversation.

/** The values of a metric: none, one, or several under the same name. */
type Metric = string | string[] | undefined
export type Metrics = Readonly<Record<string, Metric>>

/** A conversation keeps this many comments, the latest. */
const MOST_COMMENTS = 100

const valuesOf = (metric: Metric): string[] => (metric === undefined ? [] : [metric].flat())
const metricOf = (values: readonly string[]): Metric => (values.length > 1 ? [...values] : values[0])

/** A rating of the conversation replaces the earlier rating and its comment. */
export const csatMetrics = (score: number, comment: string | undefined): Metrics => ({
  csat_score: String(score),
  csat_comment: comment,
})

/** Moves the id of a rated answer to its rating, and keeps a new comment. */
export function feedbackMetrics(
  metrics: Metrics,
  messageId: string,
  rating: 'up' | 'down',
  comment: string | undefined,
): Metrics {
  const others = (name: string) => valuesOf(metrics[name]).filter((each) => each !== messageId)
  const [up, down] = [others('feedback_up'), others('feedback_down')]
  const comments = valuesOf(metrics.feedback_comment)
  if (comment !== undefined && !comments.includes(comment)) comments.push(comment)
  return {
    feedback_up: metricOf(rating === 'up' ? [...up, messageId] : up),
    feedback_down: metricOf(rating === 'down' ? [...down, messageId] : down),
    feedback_comment: metricOf(comments.slice(-MOST_COMMENTS)),
  }
}
