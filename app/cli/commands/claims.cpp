#include "app/cli/commands/claims.hpp"

namespace kinescope::app {

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = {
      {"glimmer", "iris.csv", "", "stress", "0.00107"},
      {"glimmer", "cancer.csv", "", "stress", "0.0167"},
      {"glimmer", "digits.csv", "", "stress", "0.1073"},
      {"glimmer", "mnist-t10k-images-idx3-ubyte.gz", "", "stress", "0.1269"},
      {"glimmer", "shuttle.csv", "normalize=minmax", "stress", "0.00438"},
      {"glimmer", "docs.svm.gz", "metric=cosine-squared", "stress", "0.1728"},
      {"glimmer", "bcspwr10.mtx", "metric=graph", "stress", "0.0271"},
      {"glimmer", "synthetic:topics,n=20000", "", "stress", "0.1442"},
      {"glimmer", "synthetic:swissroll,n=1089", "", "stress", "0.0423"},
      {"glimmer", "cancer.csv", "algorithm=pivot-mds", "stress", "0.0345"},
      {"glimmer", "cancer.csv", "algorithm=landmark", "stress", "0.0351"},
      {"glimmer", "cancer.csv", "algorithm=classic", "stress", "0.0462"},
      {"glimmer", "cancer.csv", "algorithm=smacof", "stress", "0.0171"},
      {"glimmer", "cancer.csv", "algorithm=nonmetric", "stress", "0.0290"},
      {"glimmer", "bcspwr10.mtx", "metric=graph algorithm=nonmetric", "stress", "0.0312"},
      {"k-means", "iris.csv", "clusters=3 restarts=10", "inertia", "78.94"},
      {"k-means", "iris.csv", "clusters=3 restarts=10", agreement, "0.893"},
      {"k-means", "cancer.csv", "clusters=2 restarts=10", "inertia", "19323"},
      {"k-means", "cancer.csv", "clusters=2 restarts=10", agreement, "0.960"},
      {"k-means", "digits.csv", "clusters=10 restarts=10", "inertia", "1.1652e6"},
      {"k-means", "digits.csv", "clusters=10 restarts=10", agreement, "0.765"},
      {"k-means", "shuttle.csv", "clusters=7 restarts=10", "inertia", "2.9461e8"},
      {"k-means", "synthetic:gaussians,n=2000,k=2,clusters=8", "clusters=8 restarts=10", "inertia", "2985.9"},
      {"k-means", "synthetic:gaussians,n=2000,k=2,clusters=8", "clusters=8 restarts=10", agreement, "0.897"},
      {"k-means", "synthetic:gaussians,n=100000,k=2,clusters=4", "clusters=4 restarts=10", "inertia", "1.5032e5"},
      {"k-means", "synthetic:gaussians,n=2000,k=3,clusters=5", "sweep=1:9", "clusters", "5"},
      {"k-means", "synthetic:gaussians,n=2000,k=3,clusters=5", "sweep=1:9", "bic", "21291"},
      {"k-means", "synthetic:gaussians,n=20000,k=4,clusters=12", "sweep=1:20", "clusters", "12"},
      {"k-means", "synthetic:gaussians,n=20000,k=4,clusters=12", "sweep=1:20", "bic", "281085"},
      {"k-means", "iris.csv", "model=mixture clusters=3", "log_likelihood", "-181.00"},
      {"k-means", "iris.csv", "model=mixture clusters=3", "bic", "582.47"},
      {"k-means", "iris.csv", "model=mixture clusters=3", agreement, "0.967"},
      {"k-means", "iris.csv", "model=mixture clusters=3 covariance=diagonal", "log_likelihood", "-308.25"},
      {"k-means", "iris.csv", "model=mixture clusters=3 covariance=diagonal", "bic", "746.78"},
      {"k-means", "cancer.csv", "model=mixture clusters=2", "log_likelihood", "-5627.3"},
      {"k-means", "cancer.csv", "model=mixture clusters=2", "bic", "11966"},
      {"k-means", "cancer.csv", "model=mixture clusters=2", agreement, "0.874"},
      {"k-means", "synthetic:gaussians,n=2000,k=3,clusters=4", "model=mixture clusters=4", "log_likelihood",
       "-10231.6"},
      {"k-means", "synthetic:gaussians,n=2000,k=3,clusters=4", "model=mixture clusters=4", "bic", "20759.6"},
      {"k-means", "synthetic:gaussians,n=2000,k=3,clusters=4", "model=mixture clusters=4", agreement, "1.000"},
      {"k-means", "synthetic:gaussians,n=100000,k=8,clusters=8", "model=mixture clusters=8", "log_likelihood",
       "-1.13355e6"},
      {"k-means", "synthetic:gaussians,n=100000,k=8,clusters=8", "model=mixture clusters=8", "bic", "2.27123e6"},
      {"mean-shift", "synthetic:gaussians,n=2000", "", "clusters", "3"},
      {"mean-shift", "synthetic:gaussians,n=2000", "", agreement, "1.000"},
      {"mean-shift", "synthetic:gaussians,n=2000,k=3,clusters=5", "", "clusters", "5"},
      {"mean-shift", "synthetic:gaussians,n=2000,k=3,clusters=5", "", agreement, "1.000"},
      {"mean-shift", "synthetic:gaussians,n=20000,k=3,clusters=8", "", "clusters", "8"},
      {"mean-shift", "synthetic:gaussians,n=20000,k=3,clusters=8", "", agreement, "0.9998"},
      {"mean-shift", "iris.csv", "", "clusters", "2"},
      {"mean-shift", "iris.csv", "", agreement, "0.667"},
      {"mean-shift", "cancer.csv", "", "clusters", "44"},
      {"mean-shift", "cancer.csv", "", agreement, "0.747"},
      {"mean-shift", "synthetic:gaussians,n=2000", "bandwidth=1.5 iterations=15", "largest_error", "6.24e-7"},
      {"mean-shift", "synthetic:gaussians,n=20000,k=3,clusters=8", "bandwidth=1 iterations=15", "largest_error",
       "1.43e-6"},
      {"mean-shift", "synthetic:gaussians,n=500000", "bandwidth=1.5 iterations=15", "largest_error", "5.86e-6"},
      {"mean-shift", "synthetic:gaussians,n=1000000", "bandwidth=1.5 iterations=15", "largest_error", "1.43e-6"},
      {"fitzhugh-nagumo", "", "scheme=adaptive end_time=30.13", "nodes_used", "108"},
      {"fitzhugh-nagumo", "", "scheme=adaptive end_time=60.12", "nodes_used", "123"},
      {"fitzhugh-nagumo", "", "scheme=adaptive end_time=90.11", "nodes_used", "129"},
      {"fitzhugh-nagumo", "", "scheme=adaptive-paper end_time=30.13", "nodes_used", "122"},
      {"fitzhugh-nagumo", "", "scheme=adaptive-paper end_time=60.12", "nodes_used", "147"},
      {"fitzhugh-nagumo", "", "scheme=adaptive-paper end_time=90.11", "nodes_used", "169"},
  };
  return all;
}

const std::vector<ExperimentClaim>& experiment_claims() {
  static const std::vector<ExperimentClaim> all = {
      {"fitzhugh-nagumo", "errors-dt", "explicit", "dt", "1.00"},
      {"fitzhugh-nagumo", "errors-dt", "implicit", "dt", "2.00"},
      {"fitzhugh-nagumo", "errors-dx", "explicit", "dx", "2.03"},
      {"fitzhugh-nagumo", "errors-dx", "implicit", "dx", "2.03"},
      {"fitzhugh-nagumo", "stability", "explicit", "dx=0.25", "0.50"},
      {"fitzhugh-nagumo", "stability", "explicit", "dx=0.5", "0.50"},
      {"fitzhugh-nagumo", "stability", "explicit", "dx=1", "0.50"},
  };
  return all;
}

}  // namespace kinescope::app
