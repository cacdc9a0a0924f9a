"""How well vision reads: pictures and photographed digits with known truth, judged beside a naive baseline."""
