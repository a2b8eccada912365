"""Labels lines as scikit-learn does: TfidfVectorizer and LogisticRegression over the text of the line.

Reads from stdin one JSON object: {"train": [[text, label], ...], "test": [text, ...], "runs": [{"analyzer": "word", "size": n}]}.
Writes one JSON list to stdout: for each run {"labels": [...], "seconds": s}.
"""

import json
import sys
import time
import warnings

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

NGRAMS = {"word": (1, 1), "char_wb": (2, 5)}


def labels_of(train, test, analyzer):
    vectors = TfidfVectorizer(analyzer=analyzer, ngram_range=NGRAMS[analyzer])
    pipeline = make_pipeline(vectors, LogisticRegression(max_iter=300, C=10))
    pipeline.fit([text for text, _ in train], [label for _, label in train])
    return list(pipeline.predict(test))


def main():
    warnings.filterwarnings("ignore")
    task = json.load(sys.stdin)
    answers = []
    for run in task["runs"]:
        started = time.process_time()
        labels = labels_of(task["train"][: run["size"]], task["test"], run["analyzer"])
        answers.append({"labels": labels, "seconds": time.process_time() - started})
    json.dump(answers, sys.stdout)


main()
