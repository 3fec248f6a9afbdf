# SPDX-License-Identifier: Apache-2.0
"""Searches the parameters of Sugarscape with the most ants, by asking Optuna and telling it."""
import sys

import mass
import optuna

folder = sys.argv[1] if len(sys.argv) > 1 else "."
optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
experiment = mass.Experiment("sugarscape", size=40, steps=40, seed=1, repeat=2, file=f"{folder}/optuna.jsonl")

for _ in range(5):
    trials = [study.ask() for _ in range(6)]      # six points at once
    points = [{"vision_max": trial.suggest_int("vision_max", 1, 10),
               "growback": trial.suggest_int("growback", 1, 4)} for trial in trials]
    ants = experiment.run(points)["ants"].mean(axis=1)
    for trial, value in zip(trials, ants):
        study.tell(trial, value)
print(f"{study.best_params}: {study.best_value} ants")
