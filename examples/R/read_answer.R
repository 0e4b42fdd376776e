# Read what `unbiased estimate` wrote: the answer as a data frame, its replicates beside it.
#
#     unbiased estimate logistic --data clicks.csv --label clicked --json answer.json
#     Rscript read_answer.R answer.json .unbiased/clicks.csv-*/estimate/anchored.csv
#
# Needs jsonlite.

paths <- commandArgs(trailingOnly = TRUE)
answer <- jsonlite::fromJSON(paths[1])$answer

estimates <- answer$estimates
table <- data.frame(
  mean = estimates$summary$mean,
  standard_error = estimates$summary$standard_error,
  posterior_sd = estimates$posterior_sd,
  row.names = estimates$name
)
print(table)
cat("caveats:", answer$guarantees$caveats, "\n")

# The same means; depths may be stratified, of which the plain error of a mean knows nothing.
replicates <- read.csv(paths[2], check.names = FALSE)[, estimates$name, drop = FALSE]
print(data.frame(
  mean = colMeans(replicates),
  plain_error = apply(replicates, 2, sd) / sqrt(nrow(replicates))
))
